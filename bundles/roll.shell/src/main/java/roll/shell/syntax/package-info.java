/** How commands are called: their arguments and options, and what commands share. */
@NullMarked
package roll.shell.syntax;

import org.jspecify.annotations.NullMarked;
