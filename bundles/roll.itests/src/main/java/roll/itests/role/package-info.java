/** Roles of one's own, as a bundle of a user's would have them. */
@NullMarked
package roll.itests.role;

import org.jspecify.annotations.NullMarked;
