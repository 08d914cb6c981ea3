/** Frozen models: scores of sequences by a head, distributions of tokens and their divergences. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.scoring;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
