/**
 * Ranks of a model that is spread over several devices: what they tell each other, and that some
 * are lost.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.rank;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
