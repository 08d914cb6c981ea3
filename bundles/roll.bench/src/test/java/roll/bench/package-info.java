/** Tests that the benchmark runs; none asserts a time. */
@NullMarked
package roll.bench;

import org.jspecify.annotations.NullMarked;
