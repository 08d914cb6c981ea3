/**
 * The state of one rank: segments of parameters that are gathered and reduced; the layout of the
 * ranks.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.parallel.shard;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
