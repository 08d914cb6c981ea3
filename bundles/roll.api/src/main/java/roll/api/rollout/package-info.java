/** Environment managers: how an episode becomes training samples. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.rollout;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
