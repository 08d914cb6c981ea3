/** Data exchanged between the phases of a step: jagged batches, trajectories, random streams. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.data;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
