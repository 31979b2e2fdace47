//! Tables made up to learn from: the kinds and the classes that labelled tables of
//! a few sites are short of.
//!
//! Each table is one of a few kinds ([`KINDS`]), with its looks drawn at random: how
//! headers are marked (or not at all), whether there is a title, a note below, a
//! second header row, a repeated one, cells that span rows. The words mean nothing: no feature is about
//! any word but those that begin notes.

use forest_html::page::{Mask, NodeId, Page};
use forest_text::prose::TextOptions;
use forest_text::prose::table::{CellClass, Grid};
use html5ever::local_name;
use std::fmt::Write;

/// A table and the classes of its source cells.
pub struct MadeUpTable {
    pub html: String,
    pub classes: Vec<CellClass>,
}

impl MadeUpTable {
    /// The right classes of its cells.
    pub fn right(&self) -> Vec<Option<CellClass>> {
        self.classes.iter().copied().map(Some).collect()
    }

    /// Its page, the table in it and its cells.
    pub fn read(&self) -> Option<(Page, NodeId, Grid)> {
        let page = Page::from_html(&self.html);
        let table = page.nodes().find(|&n| page.is(n, &local_name!("table")))?;
        let grid = Grid::of(&page, table, &Mask::all(&page), &TextOptions::default());
        Some((page, table, grid))
    }
}

/// The kinds of tables by the meaning of their rows, each with its share of the draws.
pub const KINDS: [(Kind, u64); 12] = [
    (Kind::Named, 5),
    (Kind::Ranked, 5),
    (Kind::Dated, 3),
    (Kind::Works, 4),
    (Kind::Pairs, 5),
    (Kind::Matrix, 2),
    (Kind::Nameless, 1),
    (Kind::RowNames, 2),
    (Kind::Bare, 2),
    (Kind::Numbered, 2),
    (Kind::Grouped, 2),
    (Kind::Records, 4),
];

/// The meaning of a table's rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Names in the first column.
    Named,
    /// Places in the first column, names in the second.
    Ranked,
    /// Years or dates in the first column, each once: they name the rows.
    Dated,
    /// Years in the first column, of works in the second: years may come again or
    /// span several rows.
    Works,
    /// A name and its value a row, without a header row.
    Pairs,
    /// Names above and at the left, an empty corner.
    Matrix,
    /// No column names its row: names come again.
    Nameless,
    /// Names in the first column of several, without a header row.
    RowNames,
    /// Rows of data, without any header.
    Bare,
    /// Numbers above (years, sizes), marked as headers, and names at the left.
    Numbered,
    /// Names of groups that span several rows, then names of rows.
    Grouped,
    /// A header row over matches or sales: days that come again, and nothing that names a row.
    Records,
}

impl Kind {
    fn has_header_row(self) -> bool {
        !matches!(self, Kind::Pairs | Kind::RowNames | Kind::Bare)
    }
}

/// Draws: splitmix64 (Steele, Lea and Flood, 2014).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// One of `0..n`.
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// True in so many of 100 draws.
    fn percent(&mut self, n: u64) -> bool {
        self.below(100) < n
    }

    fn one_of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// Syllables of words.
const SYLLABLES: [&str; 24] = [
    "ba", "ber", "chi", "da", "den", "fol", "ga", "gri", "hal", "ka", "len", "lo", "mar", "mi",
    "nor", "pa", "ren", "ri", "sol", "ta", "tur", "vel", "wi", "zo",
];

/// The values of a column of data.
#[derive(Debug, Clone, Copy)]
enum Values {
    Integer,
    Decimal,
    Money,
    Percent,
    Date,
    Word,
    Name,
    Phrase,
    Prose,
    Sign,
    Score,
}

const VALUES: [Values; 14] = [
    Values::Integer,
    Values::Integer,
    Values::Integer,
    Values::Decimal,
    Values::Money,
    Values::Percent,
    Values::Date,
    Values::Word,
    Values::Word,
    Values::Name,
    Values::Phrase,
    Values::Prose,
    Values::Sign,
    Values::Score,
];

/// The looks of a table's cells.
struct Looks {
    /// The header row: `th`, bold, in `thead`, of a class, painted.
    th: bool,
    bold: bool,
    thead: bool,
    class: bool,
    painted: bool,
    /// The cells that name rows.
    name_th: bool,
    name_bold: bool,
    name_link: bool,
    /// Other cells of data that are `th` all the same: the first, the last one.
    first_th: bool,
    last_th: bool,
    colon: bool,
    /// Percent of cells of data that are empty.
    empty: u64,
}

/// A table that is written.
struct Writer {
    html: String,
    classes: Vec<CellClass>,
}

impl Writer {
    /// Adds a cell.
    fn cell(&mut self, tag: &str, attributes: &str, inside: &str, class: CellClass) {
        let _ = write!(self.html, "<{tag}{attributes}>{inside}</{tag}>");
        self.classes.push(class);
    }

    fn add(&mut self, html: &str) {
        self.html.push_str(html);
    }
}

/// Makes a table of any kind but `without`; the same one for the same seed.
pub fn make(seed: u64, without: Option<Kind>) -> MadeUpTable {
    let mut draws = Draws(seed);
    let kinds = || KINDS.iter().filter(|(kind, _)| Some(*kind) != without);
    let all: u64 = kinds().map(|(_, times)| times).sum();
    let mut at = draws.below(all);
    let kind = kinds().find(|(_, times)| {
        let here = at < *times;
        at = at.saturating_sub(*times);
        here
    });
    let kind = kind.map_or(Kind::Named, |(kind, _)| *kind);
    Maker::new(kind, draws).make()
}

/// Makes a table of a kind.
pub fn make_of(kind: Kind, seed: u64) -> MadeUpTable {
    Maker::new(kind, Draws(seed)).make()
}

struct Maker {
    kind: Kind,
    draws: Draws,
    looks: Looks,
    values: Vec<Values>,
    rows: u64,
    to: Writer,
}

impl Maker {
    fn new(kind: Kind, mut draws: Draws) -> Maker {
        // Half of all headers are marked up as such.
        let th = draws.percent(55);
        // Numbers over numbers are headers by their looks alone.
        let numbered = kind == Kind::Numbered;
        let looks = Looks {
            th,
            bold: !th && (draws.percent(50) || numbered),
            thead: draws.percent(30),
            class: draws.percent(15),
            painted: draws.percent(25),
            name_th: draws.percent(30),
            name_bold: draws.percent(15),
            name_link: draws.percent(30),
            first_th: th && draws.percent(25),
            last_th: th && draws.percent(12),
            colon: draws.percent(35),
            empty: if draws.percent(30) { 15 } else { 0 },
        };
        let columns = match kind {
            Kind::Pairs => 1,
            Kind::Works | Kind::RowNames | Kind::Bare => 2 + draws.below(5),
            _ => 1 + draws.below(6),
        };
        let mut values: Vec<Values> = (0..columns)
            .map(|_| VALUES[draws.below(VALUES.len() as u64) as usize])
            .collect();
        if kind == Kind::Matrix || (kind == Kind::Works && draws.percent(70)) {
            let all = if draws.percent(50) {
                Values::Integer
            } else {
                Values::Sign
            };
            values.fill(all);
        }
        if kind == Kind::Numbered {
            values.fill(VALUES[draws.below(6) as usize]);
        }
        // Years, places, winners.
        if kind == Kind::Dated && draws.percent(50) {
            values.fill(Values::Name);
        }
        let rows = if draws.percent(20) {
            1 + draws.below(3)
        } else {
            3 + draws.below(14)
        };
        Maker {
            kind,
            draws,
            looks,
            values,
            rows,
            to: Writer {
                html: String::new(),
                classes: Vec::new(),
            },
        }
    }

    /// Columns in all.
    fn columns(&self) -> usize {
        self.values.len()
            + match self.kind {
                Kind::Ranked | Kind::Works | Kind::Grouped => 2,
                Kind::Bare => 0,
                _ => 1,
            }
    }

    fn make(mut self) -> MadeUpTable {
        let class = self.draws.one_of(&[
            "",
            " class=wikitable",
            " border=1",
            " class=t cellpadding=4",
        ]);
        let _ = write!(self.to.html, "<table{class}>");
        if self.draws.percent(10) {
            let title = self.words(4);
            let _ = write!(self.to.html, "<caption>{title}</caption>");
        }
        let width = self.columns();
        if width > 1 && self.draws.percent(25) {
            self.title(width);
        }
        let sure = matches!(self.kind, Kind::Numbered | Kind::Records);
        let headers = self.kind.has_header_row() && (self.draws.percent(92) || sure);
        let names = self.header_names(width);
        let groups = headers && width > 3 && self.draws.percent(25);
        let mut repeat_at = u64::MAX;
        if headers {
            self.header(&names, groups, CellClass::Header);
            if self.draws.percent(15) {
                repeat_at = self.rows;
            } else if self.rows > 5 && self.draws.percent(6) {
                repeat_at = self.rows / 2;
            }
        }
        let may_have_sections = width > 1 && self.rows > 4 && self.kind != Kind::Bare;
        let sections = may_have_sections && self.draws.percent(12);
        self.body(repeat_at, &names, groups, sections);
        if width > 1 && self.draws.percent(25) {
            self.note(width);
        }
        self.to.add("</table>");
        MadeUpTable {
            html: self.to.html,
            classes: self.to.classes,
        }
    }

    /// A row above all others with the table's subject.
    fn title(&mut self, width: usize) {
        let count = 2 + self.draws.below(5);
        let words = self.words(count);
        let tag = if self.looks.th { "th" } else { "td" };
        let mut attributes = format!(" colspan={width}");
        attributes +=
            self.draws
                .one_of(&["", "", " class=title", " bgcolor='#ccc'", " align=center"]);
        let inside = match self.draws.below(3) {
            0 => format!("<b>{words}</b>"),
            1 => format!("{words}<br>({})", self.words(3)),
            _ => words,
        };
        self.to.add("<tr>");
        self.to.cell(tag, &attributes, &inside, CellClass::Thema);
        self.to.add("</tr>");
    }

    /// A note, legend or source below all others.
    fn note(&mut self, width: usize) {
        let begin = self.draws.one_of(&[
            "Source:",
            "Note:",
            "* ",
            "— ",
            "† ",
            "Quelle:",
            "Notes:",
            "Reference:",
            "",
            "",
            "Total",
            "Updated",
        ]);
        let count = 3 + self.draws.below(25);
        let words = self.words(count);
        let tag = if self.draws.percent(15) { "th" } else { "td" };
        let inside = match self.draws.below(3) {
            0 => format!("<small>{begin} {words}</small>"),
            1 => format!("<i>{begin}</i> {words}."),
            _ => format!("{begin} {words}"),
        };
        let foot = self.draws.percent(15);
        self.to.add(if foot { "<tfoot><tr>" } else { "<tr>" });
        self.to.cell(
            tag,
            &format!(" colspan={width}"),
            &inside,
            CellClass::FinalImportant,
        );
        self.to.add(if foot { "</tr></tfoot>" } else { "</tr>" });
    }

    /// The header row, or two where some columns have a name in common.
    fn header(&mut self, names: &[String], groups: bool, class: CellClass) {
        let tag = if self.looks.th { "th" } else { "td" };
        let mut attributes = String::new();
        if self.looks.class {
            attributes += " class=head";
        }
        if self.looks.painted {
            attributes += " bgcolor='#ddd'";
        }
        let thead = self.looks.thead && class == CellClass::Header;
        self.to.add(if thead { "<thead><tr>" } else { "<tr>" });
        let corner = self.kind == Kind::Matrix;
        // The last columns but one have a name in common.
        let first_grouped = names.len().saturating_sub(3).max(2);
        let grouped = first_grouped..names.len() - usize::from(names.len() > 4);
        for (at, name) in names.iter().enumerate() {
            let mut attributes = attributes.clone();
            if groups && !grouped.contains(&at) {
                attributes += " rowspan=2";
            } else if groups {
                if at > grouped.start {
                    continue;
                }
                let _ = write!(attributes, " colspan={}", grouped.len());
            }
            if corner && at == 0 {
                self.to.cell(tag, &attributes, "", CellClass::Neutral);
                continue;
            }
            let inside = if self.looks.bold {
                format!("<b>{name}</b>")
            } else {
                name.clone()
            };
            self.to.cell(tag, &attributes, &inside, class);
        }
        if groups {
            self.to.add("</tr><tr>");
            for name in &names[grouped] {
                let inside = format!("{}<br>[{}]", &name[..name.len().min(4)], name.len());
                self.to.cell(tag, &attributes, &inside, class);
            }
        }
        self.to.add(if thead { "</tr></thead>" } else { "</tr>" });
    }

    fn body(&mut self, repeat_at: u64, names: &[String], groups: bool, sections: bool) {
        let width = self.columns();
        let mut year = 1950 + self.draws.below(60);
        // Rows that the year's cell spans still.
        let mut spanned = 0;
        let few: Vec<String> = (0..3).map(|_| self.name()).collect();
        let dates = self.draws.percent(40);
        let details = self.draws.percent(50);
        let mut day = self.draws.below(400);
        for row in 0..self.rows {
            if sections && row % 4 == 0 {
                let name = self.words(2);
                self.to.add("<tr>");
                let tag = if self.looks.th { "th" } else { "td" };
                self.to
                    .cell(tag, &format!(" colspan={width}"), &name, CellClass::Header);
                self.to.add("</tr>");
            }
            self.to.add("<tr>");
            match self.kind {
                Kind::Bare => {}
                Kind::Records => {
                    if self.draws.percent(40) {
                        day += 1;
                    }
                    let date = format!("{} May {}", 1 + day % 28, 2000 + day / 28);
                    self.first(&date, "");
                }
                Kind::Grouped => {
                    if spanned == 0 {
                        spanned = (1 + self.draws.below(4)).min(self.rows - row);
                        if row < repeat_at {
                            spanned = spanned.min(repeat_at - row);
                        }
                        if sections {
                            spanned = 1;
                        }
                        let group = self.name();
                        self.row_name_over(&group, spanned);
                    }
                    spanned -= 1;
                    let name = self.name();
                    self.row_name(&name);
                }
                Kind::Named | Kind::Matrix | Kind::Pairs | Kind::RowNames | Kind::Numbered => {
                    let mut name = self.name();
                    if self.looks.colon && self.kind == Kind::Pairs {
                        name.push(':');
                    }
                    self.row_name(&name);
                }
                Kind::Ranked => {
                    let place = self.draws.one_of(&["", "", "", "", "="]).to_owned();
                    let place = format!("{place}{}", row + 1);
                    self.first(&place, "");
                    let name = self.name();
                    self.row_name(&name);
                }
                Kind::Dated => {
                    year += 1 + u64::from(self.draws.percent(20));
                    let date = if dates {
                        self.date(row)
                    } else {
                        year.to_string()
                    };
                    self.row_name(&date);
                }
                Kind::Works => {
                    if spanned == 0 {
                        year += self.draws.below(3);
                        spanned = if self.draws.percent(25) { 2 } else { 1 };
                        spanned = spanned.min(self.rows - row);
                        if row < repeat_at {
                            spanned = spanned.min(repeat_at - row);
                        }
                        if sections {
                            spanned = 1;
                        }
                        let span = if spanned > 1 { " rowspan=2" } else { "" };
                        self.first(&year.to_string(), span);
                    }
                    spanned -= 1;
                    let mut name = self.name();
                    if details {
                        name = format!("<i>{name}</i><br>{}: {}", self.words(1), self.date(row));
                    } else if self.draws.percent(50) {
                        name = format!("\"{name}\"");
                    }
                    self.row_name(&name);
                }
                Kind::Nameless => {
                    let name = few[self.draws.below(3) as usize].clone();
                    self.first(&name, "");
                }
            }
            for at in 0..self.values.len() {
                let value = self.value(self.values[at]);
                let last = self.looks.last_th && at + 1 == self.values.len();
                let tag = if last { "th" } else { "td" };
                let value = if self.draws.percent(self.looks.empty) {
                    String::new()
                } else {
                    value
                };
                self.to.cell(tag, "", &value, CellClass::Data);
            }
            self.to.add("</tr>");
            if row + 1 == repeat_at {
                self.header(names, groups, CellClass::FinalNonImportant);
            }
        }
    }

    /// A first cell that does not name its row.
    fn first(&mut self, text: &str, attributes: &str) {
        let tag = if self.looks.first_th { "th" } else { "td" };
        self.to.cell(tag, attributes, text, CellClass::Data);
    }

    /// The cell that names its row.
    fn row_name(&mut self, text: &str) {
        self.row_name_over(text, 1);
    }

    /// The cell that names so many rows.
    fn row_name_over(&mut self, text: &str, rows: u64) {
        let th = self.looks.name_th;
        let mut attributes = String::new();
        if rows > 1 {
            let _ = write!(attributes, " rowspan={rows}");
        }
        if th && self.looks.th {
            attributes += " scope=row";
        }
        let mut inside = text.to_owned();
        if self.looks.name_link {
            inside = format!("<a href=x>{inside}</a>");
        }
        if self.looks.name_bold {
            inside = format!("<b>{inside}</b>");
        }
        self.to.cell(
            if th { "th" } else { "td" },
            &attributes,
            &inside,
            CellClass::Header,
        );
    }

    fn value(&mut self, of: Values) -> String {
        let n = self.draws.below(10_000);
        match of {
            Values::Integer => (n >> self.draws.below(13)).to_string(),
            Values::Decimal => format!("{}.{}", n / 100, n % 10),
            Values::Money => format!("${}.{:02}", n / 10, n % 100),
            Values::Percent => format!("{}.{}%", n % 100, n % 7),
            Values::Date => self.date(n % 12),
            Values::Word => self.words(1),
            Values::Name => self.name(),
            Values::Phrase => {
                let count = 3 + self.draws.below(6);
                self.words(count)
            }
            Values::Prose => {
                let count = 10 + self.draws.below(25);
                self.words(count)
            }
            Values::Sign => self.draws.one_of(&["✔", "—", "–", "Yes", "✔"]).to_owned(),
            Values::Score => format!("{}–{}", n % 5, n % 3),
        }
    }

    /// A word of two or three syllables.
    fn word(&mut self) -> String {
        let count = 2 + self.draws.below(2);
        (0..count).map(|_| self.draws.one_of(&SYLLABLES)).collect()
    }

    /// Words, the first with a capital letter.
    fn words(&mut self, count: u64) -> String {
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        capital(&words.join(" "))
    }

    /// Names of columns: words, or behind the first ones years.
    fn header_names(&mut self, width: usize) -> Vec<String> {
        let years = matches!(self.kind, Kind::Named | Kind::Matrix | Kind::Numbered)
            && self.draws.percent(25);
        let first_year = 1900 + self.draws.below(115);
        let numbered = self.kind == Kind::Numbered;
        let step = [1, 5, 10, 50, 100][self.draws.below(5) as usize];
        let unit = self.draws.one_of(&["", "", "", "%", " m", "+"]);
        let name = |at: usize| {
            if numbered && !years && at > 0 {
                return format!("{}{unit}", step * at as u64);
            }
            if years && at > 0 {
                return (first_year + at as u64).to_string();
            }
            let count = 1 + self.draws.below(2);
            self.words(count)
        };
        (0..width).map(name).collect()
    }

    /// One to three words with capital letters.
    fn name(&mut self) -> String {
        let count = 1 + self.draws.below(3);
        let words: Vec<String> = (0..count).map(|_| capital(&self.word())).collect();
        words.join(" ")
    }

    fn date(&mut self, n: u64) -> String {
        let month = ["January", "March", "June", "October"][(n % 4) as usize];
        format!("{month} {}, {}", 1 + n % 28, 1960 + self.draws.below(60))
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
