/** Tests of the strategies and of their keys. */
@NullMarked
package roll.strategy.zero3;

import org.jspecify.annotations.NullMarked;
