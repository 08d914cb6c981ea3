/** Rewards that do not come from an environment: terms added to the score of an episode. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.reward;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
