/** The open live pages of this process. */
@NullMarked
package roll.shell.page;

import org.jspecify.annotations.NullMarked;
