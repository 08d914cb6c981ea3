/**
 * The workers of a run: one handle for each role, opened on leased plugins, and the group that is
 * asked by role.
 */
@NullMarked
package roll.core.role;

import org.jspecify.annotations.NullMarked;
