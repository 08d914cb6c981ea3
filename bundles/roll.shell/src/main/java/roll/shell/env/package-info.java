/** The command {@code env}: environments listed, shown and played by hand. */
@NullMarked
package roll.shell.env;

import org.jspecify.annotations.NullMarked;
