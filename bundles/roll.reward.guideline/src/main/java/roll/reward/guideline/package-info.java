/** A reward for guidelines, by how a frozen solver does with them. */
@NullMarked
package roll.reward.guideline;

import org.jspecify.annotations.NullMarked;
