/** Sites of pages, generated or from a folder, and the questions about them. */
@NullMarked
package roll.env.click_and_read.site;

import org.jspecify.annotations.NullMarked;
