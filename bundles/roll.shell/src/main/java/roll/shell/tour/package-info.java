/** The command {@code tour}. */
@NullMarked
package roll.shell.tour;

import org.jspecify.annotations.NullMarked;
