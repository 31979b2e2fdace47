//! Any text as an expression, over any page that is made long: it ends within the page's budget,
//! some seconds of `-timeout`, whatever it asks for.
#![no_main]

use forest_html::page::Page;
use forest_core::wrapper::xpath::XPath;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str, u8)| {
    let (source, part, times) = input;
    if let Ok(xpath) = XPath::parse(source) {
        let seed = "<div id=a class='b c'><p>x<i>y</i></p><template><b>z</template></div>";
        let page = Page::from_html(&format!("{seed}{}", part.repeat(1 << (times % 12))));
        xpath.nodes(&page);
        xpath.strings(&page);
    }
});
