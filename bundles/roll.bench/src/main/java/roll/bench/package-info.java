/** The command {@code bench}: measures how fast this machine trains and samples. */
@NullMarked
package roll.bench;

import org.jspecify.annotations.NullMarked;
