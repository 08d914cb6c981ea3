/** The commands of scope {@code roll}. */
@NullMarked
package roll.shell;

import org.jspecify.annotations.NullMarked;
