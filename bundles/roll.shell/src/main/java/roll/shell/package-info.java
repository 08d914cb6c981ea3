/** The commands of scope {@code roll}: what a person or a script does with the system. */
@NullMarked
package roll.shell;

import org.jspecify.annotations.NullMarked;
