//! The open elements, as the tree builder has them: section 13.2.4.2 of the HTML standard.

use super::cut::Cut;
use super::kind::ElementKind as E;
use super::wanted::Uncut;
use crate::page::metadata::byline::MAX_BYLINE_BYTES;

/// Open elements at the most: with more of them the parser drops tags.
const MAX_OPEN: usize = 256;

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScannedElement<'s> {
    pub kind: E,
    /// Its name in the case of the source.
    pub name: &'s str,
    /// Where its contents begin.
    pub start: usize,
    /// Cuts before its contents.
    cuts: usize,
    /// Active formatting elements that are not open, when it was opened.
    leaked: usize,
    /// Something in it is wanted, or the state of the tree builder changes in it.
    pub is_kept: bool,
    /// It is wanted with all that it contains.
    pub is_whole: bool,
    /// A text is in it.
    pub holds_text: bool,
    /// A strip may look at its text.
    pub is_tested: bool,
    /// It is a byline, if it is short.
    may_be_byline: bool,
    /// It has a text that is more than white space.
    has_text: bool,
    /// Bytes of its text, or less.
    text_bytes: usize,
    /// Where its tag begins, if no other element's place follows from it.
    tag: Option<usize>,
    /// Nodes before it.
    nodes: usize,
    /// The conditions of ancestors that it or one of its own fits, a bit each.
    pub within: u64,
}

/// The form element pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FormPointer {
    /// Where the form begins.
    start: usize,
    is_open: bool,
}

/// The stack, and what is cut from the elements that were closed.
#[derive(Debug, Default)]
pub(super) struct OpenElements<'s> {
    open: Vec<ScannedElement<'s>>,
    pub cuts: Vec<Cut>,
    form: Option<FormPointer>,
    /// Active formatting elements that are not open.
    leaked: Vec<&'s str>,
    /// Those of them that a marker hides.
    hidden: usize,
    /// A wanted element, or a byline, may be opened again in others.
    pub has_leaked: bool,
    /// How many `p` are open.
    paragraphs: usize,
    /// Elements that were opened or closed.
    changes: usize,
    /// Where the tag that is read ends.
    tag_end: usize,
    /// The changes before it.
    changes_before: usize,
    /// A formatting element is to be opened again at it.
    leaks_before: bool,
    /// Nodes so far.
    pub nodes: usize,
}

type Sure = Result<(), Uncut>;

impl<'s> OpenElements<'s> {
    pub fn last(&self) -> Option<&ScannedElement<'s>> {
        self.open.last()
    }

    pub fn iter(&self) -> impl Iterator<Item = &ScannedElement<'s>> {
        self.open.iter()
    }

    /// A tag that ends at `end` is read.
    pub fn read_tag(&mut self, end: usize) {
        self.tag_end = end;
        self.changes_before = self.changes;
        self.leaks_before = self.leaks();
    }

    /// True if the tag opened and closed so many elements, and none again: a leaked formatting
    /// element.
    pub fn has_changed_by(&self, count: usize) -> bool {
        self.changes == self.changes_before + count && !self.leaks_before
    }

    /// The current element, whose tag begins at `at`, can go with its tags.
    pub fn may_go(&mut self, at: usize) {
        if let Some(last) = self.open.last_mut() {
            last.tag = Some(at);
        }
    }

    /// The conditions of ancestors that an open element fits, a bit each.
    pub fn within(&self) -> u64 {
        self.open.last().map_or(0, |e| e.within)
    }

    /// The element whose contents begin at `start` fits these conditions.
    pub fn add_conditions(&mut self, start: usize, conditions: u64) {
        if let Some(last) = self.open.last_mut().filter(|e| e.start == start) {
            last.within |= conditions;
        }
    }

    fn leaks(&self) -> bool {
        self.leaked.len() > self.hidden
    }

    /// Something that concerns the elements that are open changes.
    pub fn keep_all(&mut self) {
        self.open.iter_mut().for_each(|e| e.is_kept = true);
    }

    /// Something wanted stands in the current element.
    pub fn want(&mut self, holds_text: bool) {
        if let Some(last) = self.open.last_mut() {
            last.is_kept = true;
            last.holds_text |= holds_text;
        }
    }

    /// A strip may look at the text of the element whose contents begin at `start`.
    pub fn test(&mut self, start: usize) {
        if let Some(last) = self.open.last_mut().filter(|e| e.start == start) {
            last.is_tested = true;
        }
    }

    /// The element whose contents begin at `start` is a byline, if it is short.
    pub fn may_be_byline(&mut self, start: usize) {
        if let Some(last) = self.open.last_mut().filter(|e| e.start == start) {
            last.may_be_byline = true;
        }
    }

    /// False if it makes no difference whether a text introduces a byline: it does not begin the
    /// current element, which stands where the tree has it.
    pub fn asks_how_texts_begin(&self) -> bool {
        self.leaks() || self.last().is_none_or(|e| !e.has_text || is_table_level(e))
    }

    /// A text of so many bytes or more; all elements that begin with it may be bylines if
    /// `may_introduce`.
    pub fn text(&mut self, bytes: usize, may_introduce: bool) {
        if may_introduce {
            let is_moved = self.last().is_some_and(is_table_level);
            self.has_leaked |= is_moved || self.leaks();
        }
        if let Some(last) = self.open.last_mut() {
            last.text_bytes += bytes;
        }
        for element in self.open.iter_mut().rev().take_while(|e| !e.has_text) {
            element.has_text = bytes > 0;
            element.may_be_byline |= may_introduce;
        }
    }

    pub fn push(&mut self, kind: E, name: &'s str, start: usize, wanted: Option<bool>) -> Sure {
        if self.open.len() == MAX_OPEN || self.leaked.len() == MAX_OPEN {
            return Err(Uncut::Bounded);
        }
        self.open.push(ScannedElement {
            kind,
            name,
            start,
            cuts: self.cuts.len(),
            leaked: self.leaked.len(),
            is_kept: wanted.is_some(),
            is_whole: wanted.is_some(),
            holds_text: wanted == Some(true),
            is_tested: false,
            may_be_byline: false,
            has_text: false,
            text_bytes: 0,
            tag: None,
            nodes: self.nodes,
            within: self.within(),
        });
        self.changes += 1;
        self.nodes += 1;
        self.paragraphs += usize::from(kind == E::P);
        if kind.is_marker() {
            self.hidden = self.leaked.len();
        }
        Ok(())
    }

    /// Takes the last element off. `end`: where its end tag is, if it has one.
    fn pop(&mut self, end: Option<usize>) {
        let Some(mut top) = self.open.pop() else {
            return;
        };
        self.changes += 1;
        self.paragraphs -= usize::from(top.kind == E::P);
        if top.kind.is_marker() {
            self.leaked.truncate(top.leaked);
            let marker = self.open.iter().rev().find(|e| e.kind.is_marker());
            self.hidden = marker.map_or(0, |marker| marker.leaked);
        } else if top.kind.is_formatting() && end.is_none() {
            self.leaked.push(top.name);
            self.has_leaked |= top.may_be_byline || top.is_whole;
            self.keep_all();
            top.is_kept = true;
        }
        if let Some(form) = self.form {
            if top.kind == E::Form && form.start == top.start && end.is_none() {
                self.keep_all();
            }
            top.is_kept |= form.start > top.start;
        }
        if top.may_be_byline && top.text_bytes <= MAX_BYLINE_BYTES {
            top.is_whole = true;
            top.is_kept = true;
        }
        if top.is_whole || top.holds_text && top.name.eq_ignore_ascii_case("figure") {
            self.cuts.truncate(top.cuts);
        } else if let Some(end) = end.filter(|_| !top.is_kept) {
            let nodes = self.nodes - top.nodes;
            let (start, end, nodes, with_tags) = match top.tag {
                Some(tag) => (tag, self.tag_end, nodes, true),
                None => (top.start, end, nodes - 1, false),
            };
            if end > start {
                self.cuts.truncate(top.cuts);
                self.cuts.push(Cut {
                    mark: start,
                    start,
                    end,
                    with_tags,
                    nodes,
                });
            }
        }
        if let Some(parent) = self.open.last_mut() {
            parent.is_kept |= top.is_kept;
            parent.holds_text |= top.holds_text;
            parent.text_bytes += top.text_bytes;
        }
    }

    /// The source ends.
    pub fn end_all(&mut self) {
        while !self.open.is_empty() {
            self.pop(None);
        }
    }

    /// Closes all from `at` on; `end` is the end tag of the element there.
    fn close(&mut self, at: usize, end: Option<usize>) {
        let marker = self.open[at].kind.is_marker();
        while self.open.len() > at + 1 {
            // What leaks in a marker ends with it.
            if marker && let Some(last) = self.open.last_mut().filter(|e| e.kind.is_formatting()) {
                last.tag = None;
                let end = last.start;
                self.pop(Some(end));
            } else {
                self.pop(None);
            }
        }
        self.pop(end);
    }

    fn implied_ends(&mut self, except: impl Fn(&ScannedElement<'_>) -> bool) {
        while self
            .open
            .last()
            .is_some_and(|e| e.kind.has_implied_end() && !except(e))
        {
            self.pop(None);
        }
    }

    /// The innermost element that fits, if nothing that `bounds` stands before it.
    fn find(
        &self,
        fits: impl Fn(&ScannedElement<'_>) -> bool,
        bounds: impl Fn(E) -> bool,
    ) -> Option<usize> {
        for (at, element) in self.open.iter().enumerate().rev() {
            if fits(element) {
                return Some(at);
            }
            if bounds(element.kind) {
                return None;
            }
        }
        None
    }

    fn in_scope(&self, fits: impl Fn(&ScannedElement<'_>) -> bool) -> Option<usize> {
        self.find(fits, E::bounds_scope)
    }

    pub fn p_in_button_scope(&self) -> bool {
        self.find_p().is_some()
    }

    fn find_p(&self) -> Option<usize> {
        if self.paragraphs == 0 {
            return None;
        }
        self.find(
            |e| e.kind == E::P,
            |kind| kind.bounds_scope() || kind == E::Button,
        )
    }

    pub fn close_p(&mut self, end: Option<usize>) {
        if let Some(at) = self.find_p() {
            self.close(at, end);
        }
    }

    /// The current node decides, and an active formatting element may be it.
    fn sure_of_current(&self) -> Sure {
        if self.leaks() {
            return Err(Uncut::Unsure("a formatting element is open across others"));
        }
        Ok(())
    }

    pub fn close_heading_before_another(&mut self) -> Sure {
        if self.last().is_some_and(|e| e.kind == E::Heading) {
            self.sure_of_current()?;
            self.pop(None);
        }
        Ok(())
    }

    /// `li`, `dd` and `dt`: the item before ends.
    pub fn close_item(&mut self, kind: E) {
        let is_wall = |e: &ScannedElement<'_>| {
            e.kind.is_special() && e.kind != E::P && !is_one_of(e.name, &["address", "div"])
        };
        let found = self.open.iter().rposition(|e| e.kind == kind || is_wall(e));
        if let Some(at) = found.filter(|&at| self.open[at].kind == kind) {
            self.close(at, None);
        }
        self.close_p(None);
    }

    /// An element of the same kind in which it must not stand ends.
    pub fn close_in_scope(&mut self, kind: E) -> bool {
        let found = self.in_scope(|e| e.kind == kind);
        if let Some(at) = found {
            self.close(at, None);
        }
        found.is_some()
    }

    /// `option` and `optgroup`: what is open before them ends.
    pub fn close_option(&mut self, is_group: bool) -> Sure {
        self.sure_of_current()?;
        if self.in_scope(|e| e.kind == E::Select).is_some() {
            self.implied_ends(|e| !is_group && e.kind == E::OptGroup);
        } else if self.last().is_some_and(|e| e.kind == E::Option) {
            self.pop(None);
        }
        Ok(())
    }

    pub fn close_options_before_rule(&mut self) {
        if self.in_scope(|e| e.kind == E::Select).is_some() {
            self.implied_ends(|_| false);
        }
    }

    pub fn close_ruby(&mut self, name: &str) -> Sure {
        if self.in_scope(|e| is_one_of(e.name, &["ruby"])).is_some() {
            self.sure_of_current()?;
            let spares = is_one_of(name, &["rp", "rt"]);
            self.implied_ends(|e| spares && is_one_of(e.name, &["rtc"]));
        }
        Ok(())
    }

    /// Opens a formatting element, whose tag stands from `at` to `start`.
    pub fn push_formatting(
        &mut self,
        kind: E,
        name: &'s str,
        (at, start): (usize, usize),
        wanted: Option<bool>,
    ) -> Sure {
        if kind == E::A {
            let is_open = self.find(|e| e.kind == E::A, E::is_marker).is_some();
            if is_open
                || self.leaked[self.hidden..]
                    .iter()
                    .any(|l| is_one_of(l, &["a"]))
            {
                self.tag_end = at;
                self.end_formatting(name, at);
            }
        }
        if kind == E::NoBreak {
            if self.leaks() {
                return Err(Uncut::Unsure("a formatting element is open across others"));
            }
            if self.in_scope(|e| e.kind == E::NoBreak).is_some() {
                self.tag_end = at;
                self.end_formatting(name, at);
            }
        }
        let same = self.open.iter().rev().take_while(|e| !e.kind.is_marker());
        if self.leaks() || same.filter(|e| is_one_of(e.name, &[name])).count() >= 3 {
            self.keep_all();
        }
        self.push(kind, name, start, wanted)
    }

    /// The adoption agency algorithm, as far as it concerns the stack.
    pub fn end_formatting(&mut self, name: &str, end: usize) {
        let found = self.find(|e| is_one_of(e.name, &[name]), E::is_marker);
        if self.leaks() {
            self.keep_all();
            if let Some(at) = self.leaked[self.hidden..]
                .iter()
                .rposition(|l| is_one_of(l, &[name]))
            {
                let is_bounded = self.open.iter().any(|e| e.kind.bounds_scope());
                if !is_bounded && found.is_none() {
                    self.leaked.remove(self.hidden + at);
                }
            }
        }
        let Some(at) = found else { return };
        if at + 1 == self.open.len() {
            return self.pop(Some(end));
        }
        self.keep_all();
        if self.open[at + 1..].iter().any(|e| e.kind.bounds_scope()) {
            // Not in scope: it stays open.
            return;
        }
        if self.open[at + 1..].iter().any(|e| e.kind.is_special()) {
            // It is opened again in the others, whose end tags it does not concern.
            let gone = self.open.remove(at);
            self.changes += 1;
            if let Some(above) = at.checked_sub(1) {
                self.open[above].holds_text |= gone.holds_text;
                self.open[above].text_bytes += gone.text_bytes;
            }
            if gone.is_whole || gone.may_be_byline {
                self.cuts.truncate(gone.cuts);
                self.open[at..].iter_mut().for_each(|e| e.is_whole = true);
            }
        } else {
            self.close(at, Some(end));
        }
    }

    /// The end tag of a block.
    pub fn end_block(&mut self, name: &str, end: usize) {
        if let Some(at) = self.in_scope(|e| is_one_of(e.name, &[name])) {
            self.close(at, Some(end));
        }
    }

    pub fn end_heading(&mut self, end: usize) {
        if let Some(at) = self.in_scope(|e| e.kind == E::Heading) {
            self.close(at, Some(end));
        }
    }

    pub fn end_li(&mut self, end: usize) {
        let is_list = |e: &ScannedElement<'_>| is_one_of(e.name, &["ol", "ul"]);
        let found = self.in_scope(|e| e.kind == E::Li || is_list(e));
        if let Some(at) = found.filter(|&at| self.open[at].kind == E::Li) {
            self.close(at, Some(end));
        }
    }

    /// Any other end tag.
    pub fn end_other(&mut self, name: &str, end: usize) {
        let found = self.find(|e| is_one_of(e.name, &[name]), E::is_special);
        if let Some(at) = found {
            self.close(at, Some(end));
        }
    }

    /// An end tag in SVG.
    pub fn end_foreign(&mut self, name: &str, end: usize) -> Sure {
        let is_html = |kind| !matches!(kind, E::Svg | E::Foreign | E::ForeignText);
        match self.find(|e| is_one_of(e.name, &[name]), is_html) {
            Some(at) if !is_html(self.open[at].kind) => {
                self.close(at, Some(end));
                Ok(())
            }
            _ => Err(Uncut::Unsure("an end tag in SVG is of something else")),
        }
    }

    /// Opens a form; `false` if it is none.
    pub fn push_form(&mut self, name: &'s str, start: usize, wanted: Option<bool>) -> Sure {
        if self.open.iter().any(|e| e.kind == E::Template) {
            return Err(Uncut::Unsure("a form in a template"));
        }
        if self.form.is_some() {
            return Ok(());
        }
        let is_open = !matches!(
            self.table_context().map(|at| self.open[at].kind),
            Some(E::Table | E::Section | E::Row)
        );
        self.form = Some(FormPointer { start, is_open });
        if !is_open {
            self.want(false);
            return Ok(());
        }
        self.close_p(None);
        self.push(E::Form, name, start, wanted)
    }

    pub fn end_form(&mut self, end: usize) -> Sure {
        if self.open.iter().any(|e| e.kind == E::Template) {
            return Err(Uncut::Unsure("a form in a template"));
        }
        let Some(form) = self.form.take() else {
            return Ok(());
        };
        for element in self.open.iter_mut().filter(|e| e.start > form.start) {
            element.is_kept = true;
        }
        let is_it = |e: &ScannedElement<'_>| e.kind == E::Form && e.start == form.start;
        let Some(_) = self.in_scope(is_it).filter(|_| form.is_open) else {
            return Ok(());
        };
        self.implied_ends(|_| false);
        if self.last().is_some_and(is_it) {
            self.sure_of_current()?;
            self.pop(Some(end));
            return Ok(());
        }
        Err(Uncut::Unsure("a form ends in another element"))
    }

    /// Ends a `template`.
    pub fn end_template(&mut self, end: usize) {
        if let Some(at) = self.find(|e| e.kind == E::Template, |_| false) {
            self.close(at, Some(end));
        }
    }

    /// The innermost element that decides how table parts are read.
    fn table_context(&self) -> Option<usize> {
        self.open.iter().rposition(|e| e.kind.is_table_context())
    }

    fn context_kind(&self) -> Option<E> {
        self.table_context().map(|at| self.open[at].kind)
    }

    /// Closes the context, or what is open in it.
    fn leave(&mut self, end: Option<usize>) {
        if let Some(at) = self.table_context() {
            self.close(at, end);
        }
    }

    fn clear_to_context(&mut self) {
        while self.last().is_some_and(|e| !e.kind.is_table_context()) {
            self.pop(None);
        }
    }

    /// A table in a table, but not in a cell of it: the outer one ends.
    pub fn leave_table_for_another(&mut self) {
        while let Some(E::Row | E::Section) = self.context_kind() {
            self.leave(None);
        }
        if self.context_kind() == Some(E::Table) {
            self.leave(None);
        }
    }

    /// Opens a part of a table, which is nothing outside of one.
    pub fn push_part(
        &mut self,
        kind: E,
        name: &'s str,
        start: usize,
        wanted: Option<bool>,
    ) -> Sure {
        let rank = |kind| match kind {
            E::Caption | E::Column | E::Section => 1,
            E::Row => 2,
            _ => 3,
        };
        loop {
            match self.context_kind() {
                None => return Ok(()),
                Some(E::Template) => return Err(Uncut::Unsure("a part of a table in a template")),
                Some(context @ (E::Cell | E::Caption | E::Row | E::Section))
                    if matches!(context, E::Cell | E::Caption) || rank(context) >= rank(kind) =>
                {
                    self.leave(None);
                }
                Some(_) => break,
            }
        }
        self.clear_to_context();
        if kind == E::Column {
            self.want(false);
            return Ok(());
        }
        // The parts that are left out.
        if rank(kind) > 1 && self.context_kind() == Some(E::Table) {
            self.push(E::Section, "", start, None)?;
        }
        if rank(kind) > 2 && self.context_kind() == Some(E::Section) {
            self.push(E::Row, "", start, None)?;
        }
        self.push(kind, name, start, wanted)
    }

    /// The end tag of a table or of a part of one.
    pub fn end_part(&mut self, kind: E, name: &str, end: usize) -> Sure {
        if self.context_kind() == Some(E::Template) {
            return Err(Uncut::Unsure("a part of a table in a template"));
        }
        let bounds = |kind| matches!(kind, E::Table | E::Template);
        let fits = |e: &ScannedElement<'_>| {
            e.kind == kind && (e.name.is_empty() || is_one_of(e.name, &[name]))
        };
        let Some(at) = self.find(fits, bounds) else {
            return Ok(());
        };
        // A section that is not written has the name `tbody`.
        if self.open[at].name.is_empty() && kind == E::Section && !is_one_of(name, &["tbody"]) {
            return Ok(());
        }
        // In a cell only its own tag and those around it count, in a caption those of the table.
        let inner = &self.open[at + 1..];
        let in_caption = inner.iter().any(|e| e.kind == E::Caption);
        if in_caption && kind != E::Table
            || kind == E::Cell && inner.iter().any(|e| e.kind.is_table_context())
        {
            return Ok(());
        }
        while self.table_context().is_some_and(|context| context > at) {
            self.leave(None);
        }
        self.close(at, Some(end));
        Ok(())
    }
}

/// True of an element whose texts the tree builder moves before the table.
fn is_table_level(element: &ScannedElement<'_>) -> bool {
    matches!(element.kind, E::Table | E::Section | E::Row)
}

/// True if a name of the source is one of these.
pub(super) fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|one| name.eq_ignore_ascii_case(one))
}
