/** Reward models: frozen models that score sequences of tokens by a head. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.scoring;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
