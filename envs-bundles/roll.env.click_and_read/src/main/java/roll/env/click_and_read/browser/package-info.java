/** An installed Chromium, driven through its DevTools. */
@NullMarked
package roll.env.click_and_read.browser;

import org.jspecify.annotations.NullMarked;
