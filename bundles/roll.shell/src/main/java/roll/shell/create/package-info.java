/** The command {@code new}: writes plugin projects. */
@NullMarked
package roll.shell.create;

import org.jspecify.annotations.NullMarked;
