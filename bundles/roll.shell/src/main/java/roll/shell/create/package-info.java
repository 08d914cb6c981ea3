/** The command {@code new}: projects for plugins. */
@NullMarked
package roll.shell.create;

import org.jspecify.annotations.NullMarked;
