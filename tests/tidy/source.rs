//! Rust source as tokens: enough of the language to separate code from comments and literals,
//! tests from other code, and paths from one another.

/// The kind of a token. Numbers are words; lifetimes, characters and comments are not tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// An identifier, keyword or number.
    Word(String),
    /// A character of punctuation.
    Mark(char),
    /// The inside of a string literal, escapes as written.
    Text(String),
}

/// A token and its place.
#[derive(Debug)]
pub struct Token {
    pub kind: Kind,
    /// From 1.
    pub line: usize,
    /// In a test: below `#[test]` or `#[cfg(test)]`, or in a file of tests.
    pub test: bool,
    /// Inline modules around it.
    pub inline: usize,
}

/// A file of Rust.
#[derive(Debug)]
pub struct Source {
    pub tokens: Vec<Token>,
    /// Modules from the crate's root to the file's own.
    depth: usize,
}

impl Source {
    /// Reads `text`, the file at `path` in the project.
    pub fn of(path: &str, text: &str) -> Source {
        let test = path.ends_with("tests.rs") || path.contains("/tests/");
        let mut tokens = tokens(text, test);
        mark(&mut tokens);
        let inside = path.split_once("src/").map_or(path, |(_, inside)| inside);
        let parts = inside.trim_end_matches(".rs").split('/');
        let depth = parts
            .filter(|p| !matches!(*p, "mod" | "lib" | "main"))
            .count();
        Source { tokens, depth }
    }

    /// Returns true if token `i` is this word or mark.
    pub fn is(&self, i: usize, text: &str) -> bool {
        match self.tokens.get(i).map(|t| &t.kind) {
            Some(Kind::Word(word)) => word == text,
            Some(Kind::Mark(mark)) => text.chars().eq([*mark]),
            _ => false,
        }
    }

    fn is_path(&self, i: usize) -> bool {
        self.is(i, ":") && self.is(i + 1, ":")
    }

    /// Names right below the crate's root that the file names, with their lines:
    /// by `crate::` and by as many `super::` as it has modules around it.
    pub fn imports(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let mut i = 0;
        while i < self.tokens.len() {
            let start = i;
            i += 1;
            let mut at = start;
            while self.is(at, "super") && self.is_path(at + 1) {
                at += 3;
            }
            let ups = (at - start) / 3;
            if self.is(start, "crate") && self.is_path(start + 1) {
                at = start + 3;
            } else if ups == 0 {
                continue;
            } else if ups < self.depth + self.tokens[start].inline {
                i = at;
                continue;
            }
            found.extend(self.names(at));
            i = at;
        }
        found
    }

    /// The first names behind `crate::`.
    fn names(&self, at: usize) -> Vec<(usize, String)> {
        let name = |i: usize| match self.tokens.get(i) {
            Some(Token {
                kind: Kind::Word(word),
                line,
                ..
            }) => Some((*line, word.clone())),
            Some(token) if self.is(i, "*") => Some((token.line, "*".to_owned())),
            _ => None,
        };
        if !self.is(at, "{") {
            return name(at).into_iter().collect();
        }
        let (mut depth, mut found) = (0, Vec::new());
        for i in at..self.tokens.len() {
            let first = depth == 1 && (self.is(i - 1, "{") || self.is(i - 1, ","));
            if first {
                found.extend(name(i));
            }
            if self.is(i, "{") {
                depth += 1;
            } else if self.is(i, "}") {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
        }
        found
    }

    /// The modules that the file declares, in its order, tests left out.
    pub fn modules(&self) -> Vec<String> {
        let declared = (0..self.tokens.len()).filter_map(|i| match &self.tokens[i].kind {
            Kind::Word(name) if i > 0 && self.is(i - 1, "mod") && self.is(i + 1, ";") => {
                (!self.tokens[i].test).then(|| name.clone())
            }
            _ => None,
        });
        declared.collect()
    }
}

fn tokens(text: &str, test: bool) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut found = Vec::new();
    let (mut i, mut line) = (0, 1);
    while i < chars.len() {
        let start = i;
        let kind = if at(i) == '/' && at(i + 1) == '/' {
            while i < chars.len() && at(i) != '\n' {
                i += 1;
            }
            None
        } else if at(i) == '/' && at(i + 1) == '*' {
            i = block_comment(&chars, i);
            None
        } else if let Some((from, to, end)) = string(&chars, i) {
            i = end;
            Some(Kind::Text(chars[from..to].iter().collect()))
        } else if at(i) == '\'' {
            i = quote(&chars, i);
            None
        } else if at(i).is_alphanumeric() || at(i) == '_' {
            while at(i).is_alphanumeric() || at(i) == '_' {
                i += 1;
            }
            Some(Kind::Word(chars[start..i].iter().collect()))
        } else {
            i += 1;
            (!at(start).is_whitespace()).then_some(Kind::Mark(at(start)))
        };
        found.extend(kind.map(|kind| Token {
            kind,
            line,
            test,
            inline: 0,
        }));
        line += chars[start..i].iter().filter(|&&c| c == '\n').count();
    }
    found
}

/// One past a block comment; they nest.
fn block_comment(chars: &[char], start: usize) -> usize {
    let (mut i, mut depth) = (start, 0);
    while i < chars.len() {
        match (chars[i], chars.get(i + 1)) {
            ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
            ('*', Some('/')) => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            break;
        }
    }
    i
}

/// A string literal of any kind at `start`: the beginning and end of its inside, and one past
/// it.
fn string(chars: &[char], start: usize) -> Option<(usize, usize, usize)> {
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut i = start;
    if matches!(at(i), 'b' | 'c') {
        i += 1;
    }
    let raw = at(i) == 'r';
    i += usize::from(raw);
    let hashes = (i..).take_while(|&i| raw && at(i) == '#').count();
    i += hashes;
    if at(i) != '"' {
        return None;
    }
    let from = i + 1;
    i = from;
    while i < chars.len() {
        if !raw && at(i) == '\\' {
            i += 2;
        } else if at(i) == '"' && (1..=hashes).all(|n| at(i + n) == '#') {
            return Some((from, i, i + 1 + hashes));
        } else {
            i += 1;
        }
    }
    Some((from, chars.len(), chars.len()))
}

/// One past a character literal, or past the quote of a lifetime.
fn quote(chars: &[char], start: usize) -> usize {
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    if at(start + 1) == '\\' {
        // An escaped character may be a quote.
        let end = (start + 3..chars.len()).find(|&i| at(i) == '\'');
        return end.map_or(chars.len(), |end| end + 1);
    }
    if at(start + 2) == '\'' {
        start + 3
    } else {
        start + 1
    }
}

/// Fills in for each token if it is in a test, and the number of inline modules around it.
fn mark(tokens: &mut [Token]) {
    let is = |tokens: &[Token], i: usize, c: char| matches!(tokens.get(i), Some(Token { kind: Kind::Mark(m), .. }) if *m == c);
    let word = |tokens: &[Token], i: usize, text: &str| matches!(tokens.get(i), Some(Token { kind: Kind::Word(w), .. }) if w == text);
    // For each open brace: true if it opens a module, true if it is a test's.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut pending = false;
    for i in 0..tokens.len() {
        if is(tokens, i, '#') && is(tokens, i + 1, '[') {
            let end = (i..tokens.len()).find(|&n| is(tokens, n, ']'));
            let inside = &tokens[i..end.unwrap_or(tokens.len())];
            let has = |text: &str| (0..inside.len()).any(|n| word(inside, n, text));
            let plain = inside.len() == 3 && has("test");
            pending |= plain || has("cfg") && has("test") && !has("not");
        }
        if is(tokens, i, '{') {
            let module = i >= 2 && word(tokens, i - 2, "mod");
            open.push((module, pending));
            pending = false;
        }
        tokens[i].test |= pending || open.iter().any(|(_, test)| *test);
        tokens[i].inline = open.iter().filter(|(module, _)| *module).count();
        if is(tokens, i, '}') {
            open.pop();
        } else if is(tokens, i, ';') {
            pending = false;
        }
    }
}
