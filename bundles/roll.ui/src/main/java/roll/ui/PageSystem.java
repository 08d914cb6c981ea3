package roll.ui;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import roll.api.device.DeviceInspector;
import roll.runtime.config.ConfigLoader;
import roll.runtime.deploy.Deployer;
import roll.runtime.nodes.Nodes;
import roll.runtime.pipeline.Trainer;
import roll.runtime.plugin.PluginRegistry;
import roll.runtime.replay.Replays;
import roll.ui.run.RunPlans;

/**
 * The services that the page shows and asks.
 *
 * @param plans of runs of this process
 * @param context sees the service registry
 * @param devices where there is a compute layer; may come and go, as those that follow
 * @param nodes where runs can have several
 * @param deployer where jars can be deployed
 * @param replays where episodes can be played again
 */
record PageSystem(
    Trainer trainer,
    PluginRegistry plugins,
    ConfigLoader loader,
    RunPlans plans,
    BundleContext context,
    Supplier<@Nullable DeviceInspector> devices,
    Supplier<@Nullable Nodes> nodes,
    Supplier<@Nullable Deployer> deployer,
    Supplier<@Nullable Replays> replays) {}
