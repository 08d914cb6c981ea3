/** Unquoted values of keys in the shell. */
@NullMarked
package roll.shell.notation;

import org.jspecify.annotations.NullMarked;
