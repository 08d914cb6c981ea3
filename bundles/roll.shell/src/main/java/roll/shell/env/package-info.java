/** The command {@code env}: lists, shows and plays environments. */
@NullMarked
package roll.shell.env;

import org.jspecify.annotations.NullMarked;
