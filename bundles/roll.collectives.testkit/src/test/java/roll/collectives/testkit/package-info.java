/** The kit with the ranks that need nothing else. */
@NullMarked
package roll.collectives.testkit;

import org.jspecify.annotations.NullMarked;
