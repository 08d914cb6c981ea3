/** Tests of the Seed-OSS architecture. */
@NullMarked
package roll.model.seed_oss;

import org.jspecify.annotations.NullMarked;
