/** Records the times of test classes by a listener of the JUnit Platform. */
@NullMarked
package roll.timing;

import org.jspecify.annotations.NullMarked;
