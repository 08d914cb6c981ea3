/** A kind of plugins of one's own, as a bundle of a user's would have it. */
@NullMarked
package roll.itests.kind;

import org.jspecify.annotations.NullMarked;
