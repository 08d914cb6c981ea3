/** How a browser shows the pages of a site. */
@NullMarked
package roll.env.click_and_read.browser;

import org.jspecify.annotations.NullMarked;
