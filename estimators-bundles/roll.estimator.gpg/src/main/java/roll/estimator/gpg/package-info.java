/** Advantages of the group policy gradient. */
@NullMarked
package roll.estimator.gpg;

import org.jspecify.annotations.NullMarked;
