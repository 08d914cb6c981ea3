package roll.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.DataSets;
import roll.api.device.DeviceInspector;

/**
 * What a configuration is read on.
 *
 * @param variables of the environment
 * @param dataSets counts rows, or null
 * @param devices says what devices there are, or null
 */
record Host(
    Function<String, @Nullable String> variables,
    @Nullable DataSets dataSets,
    @Nullable DeviceInspector devices) {}
