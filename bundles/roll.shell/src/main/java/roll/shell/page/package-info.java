/** Live pages that this process has open. */
@NullMarked
package roll.shell.page;

import org.jspecify.annotations.NullMarked;
