/** Values of keys in the shell, written as a terminal's shell takes them. */
@NullMarked
package roll.shell.notation;

import org.jspecify.annotations.NullMarked;
