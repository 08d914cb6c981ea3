/** Rendering of pages by a browser. */
@NullMarked
package roll.env.click_and_read.browser;

import org.jspecify.annotations.NullMarked;
