/** The live page from the shell. */
@NullMarked
package roll.shell.page;

import org.jspecify.annotations.NullMarked;
