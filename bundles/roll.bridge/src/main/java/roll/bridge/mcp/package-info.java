/** A client of the Model Context Protocol: sessions with servers whose tools are called. */
@Export
@NullMarked
@Version("1.0.0")
package roll.bridge.mcp;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
