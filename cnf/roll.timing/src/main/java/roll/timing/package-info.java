/** What test classes take: a listener of the JUnit Platform. */
@NullMarked
package roll.timing;

import org.jspecify.annotations.NullMarked;
