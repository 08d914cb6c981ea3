/** The command {@code roll:bench}: how fast this machine trains and samples. */
@NullMarked
package roll.bench;

import org.jspecify.annotations.NullMarked;
