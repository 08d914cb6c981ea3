/**
 * The policy loss of Kimi k1.5 (2025): the policy gradient with a quadratic pull to the old policy.
 */
@NullMarked
package roll.loss.kimi;

import org.jspecify.annotations.NullMarked;
