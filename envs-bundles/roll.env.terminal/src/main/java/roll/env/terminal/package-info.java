/** The environment {@code terminal}: an agent works in a shell, and tests grade the result. */
@NullMarked
package roll.env.terminal;

import org.jspecify.annotations.NullMarked;
