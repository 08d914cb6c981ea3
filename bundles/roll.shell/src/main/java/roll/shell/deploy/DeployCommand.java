package roll.shell.deploy;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.deploy.Deployer;
import roll.runtime.deploy.PluginIndex;
import roll.runtime.deploy.PluginOffer;
import roll.runtime.deploy.PluginRepository;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;
import roll.text.ByteSize;

/** {@code deploy}: installs or updates a plugin of the running system. */
@Component(name = "roll.shell.deploy", service = Command.class)
@RollCommand(function = "deploy")
public final class DeployCommand extends Command {
  private static final String LIST = "--list";

  /** Arguments and options of the command {@code deploy}. */
  static final Syntax SYNTAX =
      new Syntax(
          "deploy",
          "Installs or updates a plugin, and prints what it provides.",
          List.of(
              Word.optional(
                  "jar",
                  "file of the bundle; or in a repository its name, a plugin such as env=maze, or"
                      + " its URL")),
          Stream.concat(
                  PluginSource.OPTIONS.stream(),
                  Stream.of(Option.flag(LIST, "list what is deployed")))
              .toList());

  private final Deployer deployer;
  private final @Nullable PluginRepository repository;
  private final BundleContext context;

  /** Creates the command with its services. */
  @Activate
  public DeployCommand(
      BundleContext context,
      @Reference Deployer deployer,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable PluginRepository repository) {
    super(SYNTAX);
    this.context = context;
    this.deployer = deployer;
    this.repository = repository;
  }

  /** Deploys a jar and returns a line with the names that each deployed bundle provides. */
  @Override
  protected String run(CommandSession session, Arguments given) throws InterruptedException {
    String what = given.optional(0);
    if (given.flag(LIST)) {
      given.atMost(0);
      return DeployedTable.of(context, deployer.deployed());
    }
    if (what == null) {
      throw SYNTAX.wrong("<jar> is missing");
    }
    if (PluginSource.isAddress(what)) {
      return deployAt(session, given, PluginSource.place(session, what));
    }
    boolean file = what.endsWith(".jar") || what.contains("/") || exists(session, what);
    boolean listed = given.flag(PluginSource.FROM) || !file;
    PluginSource source = listed ? PluginSource.of(session, given, context) : null;
    if (source != null) {
      PluginIndex index = read(source);
      session.getConsole().println(index.signature());
      List<PluginOffer> offers = index.resolve(what);
      if (!offers.isEmpty()) {
        newer(session, index, offers.getLast());
      }
      return deploy(session, index, offers, what);
    }
    if (!file) {
      throw new UserException(
          what + ": no such file; to take it from a repository name that: --from <folder or URL>");
    }
    return "deployed " + deployer.deploy(UserPath.of(session, what), notice(session));
  }

  /** Prints why a newer version than {@code chosen} does not resolve here, if there is one. */
  private static void newer(CommandSession session, PluginIndex index, PluginOffer chosen) {
    for (PluginOffer newest : index.newest()) {
      if (newest.name().equals(chosen.name()) && !newest.equals(chosen)) {
        try {
          index.resolve(newest);
        } catch (UserException e) {
          session.getConsole().println("not taken: " + e.getMessage());
        }
      }
    }
  }

  private static boolean exists(CommandSession session, String name) {
    return !name.contains("=") && Files.exists(UserPath.of(session, name));
  }

  /** Deploys the jar at an address, which the index beside it lists. */
  private String deployAt(CommandSession session, Arguments given, URI address)
      throws InterruptedException {
    PluginSource source = PluginSource.of(session, given, context);
    PluginIndex index =
        read(
            source != null && given.flag(PluginSource.FROM)
                ? source
                : new PluginSource(address.resolve("."), source == null ? null : source.key()));
    session.getConsole().println(index.signature());
    PluginOffer offer = index.at(address);
    if (offer == null) {
      throw new UserException(address + ": the index.xml of its folder does not list it");
    }
    return deploy(session, index, index.resolve(offer), offer.title());
  }

  private PluginIndex read(PluginSource source) throws InterruptedException {
    return RequiredService.of(repository, "deploy", "roll.assemble")
        .read(source.place(), source.key());
  }

  private String deploy(
      CommandSession session, PluginIndex index, List<PluginOffer> offers, String wanted)
      throws InterruptedException {
    if (offers.isEmpty()) {
      return wanted + ": the repository has nothing newer than what is here";
    }
    Path folder = folder();
    try {
      List<Path> jars = new ArrayList<>();
      for (PluginOffer offer : offers) {
        session.getConsole().println(line(offer));
        jars.add(index.fetch(offer, folder));
      }
      return deployer.deploy(jars, notice(session)).stream()
          .map(line -> "deployed " + line)
          .collect(Collectors.joining("\n"));
    } finally {
      delete(folder);
    }
  }

  private static String line(PluginOffer offer) {
    return "%s, %s, %s"
        .formatted(
            offer.title(),
            offer.license().isEmpty() ? "license unknown" : offer.license(),
            ByteSize.of(Math.max(0, offer.bytes())));
  }

  private static Consumer<String> notice(CommandSession session) {
    return session.getConsole()::println;
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("roll-plugins");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList().reversed()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      // ./roll removes temporary files when it ends
    }
  }
}
