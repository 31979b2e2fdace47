//! Any text as an expression, over one page.
#![no_main]

use forest::page::Page;
use forest::wrapper::xpath::XPath;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    if let Ok(xpath) = XPath::parse(source) {
        let page = Page::from_html("<div id=a class='b c'><p>x<i>y</i></p><template><b>z</template></div>");
        xpath.nodes(&page);
        xpath.strings(&page);
    }
});
