package roll.shell.deploy;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
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
import roll.shell.terminal.Table;
import roll.text.ByteSize;

/** {@code search}: lists the bundles of a repository. */
@Component(name = "roll.shell.search", service = Command.class)
@RollCommand(function = "search")
public final class SearchCommand extends Command {
  private static final String SAVE = "--save";

  /** Arguments and options of the command {@code search}. */
  static final Syntax SYNTAX =
      new Syntax(
          "search",
          "Lists the bundles of a plugin repository, for deploy.",
          List.of(Word.any("word", "part of a name or plugin; all must match")),
          Stream.concat(
                  PluginSource.OPTIONS.stream(),
                  Stream.of(Option.flag(SAVE, "remember this repository and key")))
              .toList());

  private final Deployer deployer;
  private final @Nullable PluginRepository repository;
  private final BundleContext context;

  /** Creates the command with its services. */
  @Activate
  public SearchCommand(
      BundleContext context,
      @Reference Deployer deployer,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable PluginRepository repository) {
    super(SYNTAX);
    this.context = context;
    this.deployer = deployer;
    this.repository = repository;
  }

  /** Returns a table of the newest versions in an index, and what of them is here. */
  @Override
  protected String run(CommandSession session, Arguments given) throws InterruptedException {
    PluginSource source = PluginSource.of(session, given, context);
    if (source == null) {
      throw SYNTAX.wrong("no repository is remembered: " + PluginSource.FROM + " names one");
    }
    PluginIndex index =
        RequiredService.of(repository, "search", "roll.assemble")
            .read(source.place(), source.key());
    session.getConsole().println(index.signature());
    if (given.flag(SAVE)) {
      session.getConsole().println("remembered in " + source.remember(context));
    }
    List<PluginOffer> found =
        index.newest().stream().filter(offer -> matches(offer, given.from(0))).toList();
    Table table = new Table().row("name", "version", "provides", "license", "size", "here");
    found.forEach(
        offer ->
            table.row(
                offer.name(),
                offer.version(),
                String.join(", ", offer.provides()),
                offer.license(),
                ByteSize.of(Math.max(0, offer.bytes())),
                here(offer.name())));
    return found.isEmpty() ? "no bundle matches" : table.toString();
  }

  private static boolean matches(PluginOffer offer, List<String> words) {
    String text = offer.name() + " " + String.join(" ", offer.provides());
    return words.stream()
        .allMatch(word -> text.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT)));
  }

  private String here(String name) {
    Set<Long> deployed = deployer.deployed().keySet();
    return Stream.of(context.getBundles())
        .filter(bundle -> name.equals(bundle.getSymbolicName()))
        .map(
            (Bundle bundle) ->
                bundle.getVersion()
                    + (deployed.contains(bundle.getBundleId()) ? " deployed" : " in roll"))
        .collect(Collectors.joining(", "));
  }
}
