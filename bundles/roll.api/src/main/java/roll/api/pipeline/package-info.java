/** What the core offers to commands: training runs and rollouts. */
@Export
@NullMarked
@Version("2.2.0")
package roll.api.pipeline;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
