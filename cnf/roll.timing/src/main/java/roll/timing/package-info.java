/** Times of test classes, from a listener of the JUnit Platform. */
@NullMarked
package roll.timing;

import org.jspecify.annotations.NullMarked;
