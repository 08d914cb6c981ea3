package roll.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.DataSetReader;
import roll.api.device.DeviceInspector;

/**
 * The environment in which a configuration is read.
 *
 * @param variables environment variables
 * @param dataSets counts rows, or null
 * @param devices lists the devices, or null
 */
record ConfigEnvironment(
    Function<String, @Nullable String> variables,
    @Nullable DataSetReader dataSets,
    @Nullable DeviceInspector devices) {}
