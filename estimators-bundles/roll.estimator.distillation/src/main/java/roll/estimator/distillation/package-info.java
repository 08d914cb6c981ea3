/** Advantages of on-policy distillation from a teacher. */
@NullMarked
package roll.estimator.distillation;

import org.jspecify.annotations.NullMarked;
