/** ClickAndRead: follow the links of a site until a question about it can be answered. */
@NullMarked
package roll.env.click_and_read;

import org.jspecify.annotations.NullMarked;
